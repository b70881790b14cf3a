export declare function releaseNotes(changelog: string, version: string, files: string): string;
