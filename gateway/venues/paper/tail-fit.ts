/**
 * Splits measured fat tails of one-minute returns into what clusters and what does not.
 *
 * Model: r = σ · e^(h − v) · √W · z, with z standard normal, h a slowly varying Gaussian log volatility of variance v, and W
 * an inverse-gamma variance drawn afresh each minute, so that √W · z is Student-t with ν degrees of freedom, scaled to
 * variance 1. Then
 *   kurtosis = 3 · e^(4v) · E[W²],  E[W²] = (ν − 2) / (ν − 4)
 *   cov(|r₀|, |r₁|) ∝ (2/π) · E[√W]² · (e^(v(1 + φ)) − e^v),  var|r| ∝ e^(2v) − (2/π) · E[√W]² · e^v
 * where φ is the lag-one autocorrelation of h. (Taylor, "Modelling Financial Time Series", 1986, ch. 3, with t noise.)
 */

export interface TailParameters {
  /** v */
  readonly logVolatilityVariance: number;
  /** ν */
  readonly degreesOfFreedom: number;
}

/** Below 4 the kurtosis is infinite; near it, sample moments are noise. */
const MIN_DEGREES = 5;
const MAX_DEGREES = 200;

export function fitTails(kurtosis: number, absReturnAc1: number, persistence: number): TailParameters {
  let low = 0;
  // More log-volatility variance than this would already exceed the kurtosis alone.
  let high = Math.log(kurtosis / 3) / 4;
  for (let i = 0; i < 40; i += 1) {
    const v = (low + high) / 2;
    const clustering = absAutocorrelation(v, degreesFor(kurtosis, v), persistence);
    if (clustering < absReturnAc1) low = v;
    else high = v;
  }
  return { logVolatilityVariance: low, degreesOfFreedom: degreesFor(kurtosis, low) };
}

function degreesFor(kurtosis: number, v: number): number {
  const ratio = kurtosis / (3 * Math.exp(4 * v));
  if (ratio <= 1) return MAX_DEGREES;
  return Math.min(MAX_DEGREES, Math.max(MIN_DEGREES, (4 * ratio - 2) / (ratio - 1)));
}

function absAutocorrelation(v: number, degrees: number, persistence: number): number {
  // E[√W] for W = (ν − 2)/χ²(ν)
  const root = Math.sqrt((degrees - 2) / 2) * Math.exp(logGamma((degrees - 1) / 2) - logGamma(degrees / 2));
  const meanSquared = (2 / Math.PI) * root * root;
  const covariance = meanSquared * (Math.exp(v * (1 + persistence)) - Math.exp(v));
  return covariance / (Math.exp(2 * v) - meanSquared * Math.exp(v));
}

/** Stirling's series after shifting the argument above 7; relative error below 1e-10. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  while (y < 7) {
    shift -= Math.log(y);
    y += 1;
  }
  const inverse = 1 / (y * y);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / y;
  return shift + (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series;
}
