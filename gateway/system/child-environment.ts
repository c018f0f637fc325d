/** The environment for programs that are not the gateway. */

/**
 * Without the settings: a passphrase or a key in them is nobody else's, and every program of this user can read the
 * environment of another one.
 */
export function withoutSettings(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TANDEM_/i.test(name)));
}
