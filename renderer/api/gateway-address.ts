/** Address at which programs reach the gateway. */
import { desktop } from './desktop.ts';

/** Programs use the IP address; only pages need the `localhost` name. */
export function botOrigin(pageOrigin: string): string {
  const url = new URL(pageOrigin);
  return url.hostname.endsWith('localhost') ? `${url.protocol}//127.0.0.1:${url.port}` : url.origin;
}

const { realtime } = await desktop.clientOptions();

/** In the desktop app the page has an origin of its own, which no program can reach. */
export const GATEWAY_ADDRESS = botOrigin(
  realtime === undefined ? location.origin : realtime.url.replace(/^ws/, 'http'),
);

/** Address at which agents reach the gateway: their hosts find everything else from it. */
export const MCP_ADDRESS = `${GATEWAY_ADDRESS}/mcp`;
