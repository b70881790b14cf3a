export const names: string[];
export function messagesOf(name: string): unknown[];
