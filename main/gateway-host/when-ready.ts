/** Waiting for the gateway, for as long as somebody has patience. */
import type { GatewayHost, HostedGateway } from './gateway-host.ts';

/** null: not within `patienceMs`, not before `signal` ends it, or it will not be. */
export function whenReady(
  host: GatewayHost,
  after: (delayMs: number, run: () => void) => () => void,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<HostedGateway | null> {
  const { life } = host;
  if (host.gateway !== null || life === 'FAILED' || life === 'STOPPED' || signal?.aborted === true)
    return Promise.resolve(host.gateway);
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      forget();
      signal?.removeEventListener('abort', finish);
      resolve(host.gateway);
    };
    const cancel = after(patienceMs, finish);
    signal?.addEventListener('abort', finish);
    const forget = host.onChange(() => {
      if (host.gateway !== null || host.life === 'FAILED') finish();
    });
  });
}
