/** Latency of requests: uniform within the profile's range, now and then up to two seconds more. Seeded. */
import type { PaperProfile } from '../market/market-types.ts';
import { hashText, Random } from '../market/random.ts';

const MAX_SLOW_MS = 2_000;

/** Returns a function that draws latencies in ms; always 0 if the profile has no latency. */
export function createLatency(profile: PaperProfile, seed: number): () => number {
  const [fastest, slowest] = profile.latencyMs;
  if (slowest <= 0 && profile.slowProbability <= 0) return () => 0;
  const random = new Random(seed, hashText('latency'));
  return () => {
    const usual = fastest + random.uniform() * (slowest - fastest);
    const extra = random.uniform() < profile.slowProbability ? random.uniform() * MAX_SLOW_MS : 0;
    return Math.round(usual + extra);
  };
}
