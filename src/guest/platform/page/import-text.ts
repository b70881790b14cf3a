/** A module that the host has bundled. */
export const importText = (address: string): Promise<{ default?: unknown }> => import(address);
