/** Waits until the gateway is ready, up to a time limit. */
import type { GatewayHost, HostedGateway } from './gateway-host.ts';

/**
 * null: the gateway was not ready within `patienceMs`, or before `signal` was aborted, or will not be ready.
 */
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
