/** The same amount seen from the other side: what was paid, as what it did to the holder. Digits stay as they are. */
export function negated(value: string): string {
  if (/^-?0+(\.0+)?$/.test(value)) return '0';
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}
