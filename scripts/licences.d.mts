interface Output {
  inputs: Record<string, { bytesInOutput: number }>;
}

export function licenceText(outputs: Record<string, Output>, root: string): string;
