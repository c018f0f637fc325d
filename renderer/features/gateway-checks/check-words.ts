/** The gateway's checks of itself (`GET /ready`) in words for its user. */

const NAMES: Readonly<Record<string, string>> = {
  storage: 'Storage',
  keychain: 'Store of venue credentials',
  reconciliation: 'Positions agree with the venues',
  history: 'History agrees with the venues',
  clock: 'Clock of this computer',
};

/** Place of the stored credentials, by the gateway's word for it. */
const STORED_IN: Readonly<Record<string, string>> = {
  keychain: "in the keychain of the gateway's computer",
  file: "in an encrypted file in the gateway's data folder",
  memory: 'in memory only: gone when the gateway stops',
};

/** End of a sentence: `Keys are stored in an encrypted file …`. @param kind undefined: not known yet */
export function storedIn(kind: string | undefined): string {
  return STORED_IN[kind ?? ''] ?? 'by the gateway';
}

export function checkName(name: string): string {
  return NAMES[name] ?? name.replace(/^connector:/, 'Venue ');
}

/** Detail of a check; null: the check has none. */
export function checkDetail({
  name,
  detail,
}: {
  readonly name: string;
  readonly detail: string | null;
}): string | null {
  const place = name === 'keychain' ? STORED_IN[detail ?? ''] : undefined;
  return place === undefined ? detail : place.charAt(0).toUpperCase() + place.slice(1);
}
