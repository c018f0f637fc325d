/** The environment for other programs that the gateway runs. */

/**
 * The environment without Tandem's settings: they may hold a passphrase or a key, and every program of this user can
 * read the environment of another program.
 */
export function withoutSettings(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TANDEM_/i.test(name)));
}
