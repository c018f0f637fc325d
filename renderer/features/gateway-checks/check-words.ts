/** The gateway's checks of itself (`GET /ready`) in words for its user. */

const NAMES: Readonly<Record<string, string>> = {
  storage: 'Storage',
  keychain: 'Store of venue credentials',
  reconciliation: 'Positions agree with the venues',
  history: 'History agrees with the venues',
  clock: 'Clock of this computer',
};

/** Place of the stored credentials, by the gateway's word for it. */
const KEPT_IN: Readonly<Record<string, string>> = {
  keychain: 'In the keychain of this computer',
  file: 'In an encrypted file in the data folder',
  memory: 'In memory only: gone when the gateway stops',
};

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
  return name === 'keychain' && detail !== null ? (KEPT_IN[detail] ?? detail) : detail;
}
