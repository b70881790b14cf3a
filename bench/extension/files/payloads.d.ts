export function rows1000(): object[];
export function rows5000(): object[];
