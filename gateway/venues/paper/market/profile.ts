/** Presets behind `--paper-profile`: latency, liquidity and fees of the simulated venue. */
import type { PaperProfile, PaperProfileName } from './market-types.ts';

export const PAPER_PROFILES: Readonly<Record<PaperProfileName, PaperProfile>> = {
  /** An on-chain venue on an ordinary day: a fifth of a second to a fill, calibrated books. */
  realistic: { name: 'realistic', latencyMs: [80, 320], depth: 1, spread: 1, fees: 1, slowProbability: 0.01 },
  /** For measuring the gateway itself: no latency, one tick of spread, no fees, books deeper than any order. */
  frictionless: {
    name: 'frictionless',
    latencyMs: [0, 0],
    depth: 1000,
    spread: 0,
    fees: 0,
    slowProbability: 0,
  },
  /** A quiet weekend: a tenth of the depth and wide spreads; larger legs fill partially. */
  thin: { name: 'thin', latencyMs: [120, 500], depth: 0.1, spread: 2.5, fees: 1, slowProbability: 0.02 },
  /** A liquidation cascade: hardly any depth, spreads in the tens of basis points on small caps, slow answers. */
  brutal: { name: 'brutal', latencyMs: [300, 1500], depth: 0.02, spread: 6, fees: 1, slowProbability: 0.1 },
};
