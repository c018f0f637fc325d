/** Signs a browser in from any page of the gateway's origin, with the dashboard's own key and its own client. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PASSWORD } from './gateway-client.ts';

const RENDERER = fileURLToPath(new URL('../../renderer/api/', import.meta.url));

let script: Promise<string> | undefined;

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { BoundSession, createClient } from '../../gateway/client/client.ts';
        import { pageKey } from './page-key.ts';
        const bound = new BoundSession({ url: location.origin, key: pageKey, fetch: (input, init) => fetch(input, init) });
        export const client = createClient({ bound });`,
      resolveDir: RENDERER,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'page',
    platform: 'browser',
    external: ['ws'],
    logLevel: 'silent',
  });
  // A declaration of a script that is evaluated is not global by itself.
  return `${outputFiles[0]?.text ?? ''}\nglobalThis.page = page;`;
}

/** Puts `page.client` into the page, the dashboard's client with the key of this browser. */
export async function withPageClient(page: { evaluate(script: string): Promise<unknown> }): Promise<void> {
  script ??= bundled();
  await page.evaluate(await script);
}

/** The page must be one of the gateway's origin. */
export async function signInFromPage(
  page: { evaluate(script: string): Promise<unknown> },
  email: string,
  password = PASSWORD,
): Promise<void> {
  await withPageClient(page);
  const body = JSON.stringify({ method: 'email', email, password });
  await page.evaluate(`page.client.call('POST /auth/login', { body: ${body} }).then(() => undefined)`);
}
