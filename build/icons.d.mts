/** Writes every icon into `folder`. */
export function drawIcons(folder: string): void;
