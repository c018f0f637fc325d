/** Looks for a Tandem on a port of this machine. */
import { createGatewayApi } from './gateway-api.ts';
import { stripControls } from './table.ts';

const ASK_MS = 2_000;

/** Version of the Tandem at the port; null: nobody answers, or another program. */
export async function tandemVersionAt(port: number): Promise<string | null> {
  for (const host of ['127.0.0.1', '[::1]']) {
    const version = await versionAt(`http://${host}:${port}`);
    if (version !== null) return version;
  }
  return null;
}

async function versionAt(url: string): Promise<string | null> {
  try {
    const answer = await createGatewayApi({ url, timeoutMs: ASK_MS }).call('GET /version');
    if (typeof answer !== 'object' || answer === null || !('version' in answer)) return null;
    return typeof answer.version === 'string' ? stripControls(answer.version) : null;
  } catch {
    return null;
  }
}
