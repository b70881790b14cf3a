import type { Profile } from '../documents/profile.ts';

/** Answer of a guest that was asked for a profile. */
export interface Profiled {
  type: 'profiled';
  /** `files` are bare names within the folder. */
  profile: Profile;
}

/** Answer of a guest that was asked for the bytes of branches. */
export interface BranchBytes {
  type: 'branch-bytes';
  /** null where it is not known. */
  whole: number | null;
  /** In the order of the request. */
  without: (number | null)[];
}
