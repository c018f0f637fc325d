/** Readiness of the running gateway: `GET /ready`, which needs no credential. */
import { readinessAnswer } from '../../contract/system.ts';
import { createGatewayApi } from '../gateway-api.ts';
import { type Finding, findingsOf } from './finding.ts';

const { fine, warn } = findingsOf('gateway');
const ASK_MS = 5_000;

const MEND: Readonly<Record<string, string>> = {
  clock: 'prices that arrive anew end this; keep the clock right by NTP',
  history: 'compare the account with the venue: tandem reviews, then tandem reviews --resolve',
  reconciliation:
    'compare with the venue: POST /sync, then POST /sync/positions for what was traded outside Tandem',
};

export async function checkRunning(port: number): Promise<Finding> {
  if (port === 0) return fine('not asked: any free port');
  let told: unknown;
  try {
    const api = createGatewayApi({ url: `http://127.0.0.1:${port}`, timeoutMs: ASK_MS });
    told = await api.call('GET /ready');
  } catch {
    return fine('not running');
  }
  const answer = readinessAnswer.safeParse(told);
  if (!answer.success) return fine('another program answers; see port');
  const { ready, checks } = answer.data;
  const rows = checks.filter(({ name, ok, detail }) => !ok || (name === 'clock' && detail !== null));
  const detail = rows.map((row) => `${row.name}: ${row.detail ?? 'fails'}`).join('; ');
  if (ready) return fine(detail === '' ? 'ready' : `ready; ${detail}`);
  const mends = rows.flatMap(({ name, ok }) => (ok ? [] : (MEND[name] ?? [])));
  return warn(detail, mends.length === 0 ? null : mends.join('; '));
}
