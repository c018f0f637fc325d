/**
 * Ordinary least squares by the QR decomposition with Householder reflections, which, unlike the normal equations, does
 * not square the condition of the problem. G. H. Golub and C. F. Van Loan, Matrix Computations, ch. 5.
 */
export interface LeastSquares {
  readonly coefficients: readonly number[];
  readonly residuals: readonly number[];
  /** Standard error of each coefficient: √(s² · (XᵀX)⁻¹ⱼⱼ), s² = Σe² ÷ (n − k). */
  readonly errors: readonly number[];
}

/**
 * Minimum share of a column's length that is independent of the other columns; with less, the regression has no
 * defined answer.
 */
const DEPENDENT = 1e-10;

/** `rows` are the regressors of each observation. null: too few rows, or dependent regressors. */
export function leastSquares(
  y: readonly number[],
  rows: readonly (readonly number[])[],
): LeastSquares | null {
  const n = rows.length;
  const k = rows[0]?.length ?? 0;
  if (k === 0 || n <= k) return null;
  const columns = Array.from({ length: k }, (_, j) => Float64Array.from(rows, (row) => row[j] ?? 0));
  const lengths = columns.map((column) => Math.sqrt(dot(column, column, 0)));
  const right = Float64Array.from(y);
  const diagonal: number[] = [];
  const halves: number[] = [];
  for (let j = 0; j < k; j += 1) {
    const column = columns[j] ?? new Float64Array(n);
    const norm = Math.sqrt(dot(column, column, j));
    if (norm <= DEPENDENT * (lengths[j] ?? 0) || norm === 0) return null;
    const pivot = column[j] ?? 0;
    const alpha = pivot > 0 ? -norm : norm;
    column[j] = pivot - alpha;
    diagonal.push(alpha);
    const half = -alpha * (column[j] ?? 0);
    halves.push(half);
    for (const other of [...columns.slice(j + 1), right]) reflect(other, column, half, j);
  }
  const upper = (i: number, j: number) => (i === j ? (diagonal[i] ?? 0) : (columns[j]?.[i] ?? 0));
  const coefficients = solveUpper(upper, right, k);
  // Residuals: the part of y that the regressors do not explain, transformed back. Subtracting fitted values from y
  // would lose the digits that nearly dependent regressors cancel.
  const left = right.fill(0, 0, k);
  for (let j = k - 1; j >= 0; j -= 1) reflect(left, columns[j] ?? left, halves[j] ?? 1, j);
  const residuals = Array.from(left);
  const variance = residuals.reduce((sum, e) => sum + e * e, 0) / (n - k);
  return { coefficients, residuals, errors: standardErrors(upper, k, variance) };
}

/** Householder: x − v·(vᵀx) ÷ half, from row `from` on. */
function reflect(x: Float64Array, v: Float64Array, half: number, from: number): void {
  const scale = dot(v, x, from) / half;
  for (let i = from; i < x.length; i += 1) x[i] = (x[i] ?? 0) - scale * (v[i] ?? 0);
}

/** (XᵀX)⁻¹ = R⁻¹R⁻ᵀ: its diagonal is the squared length of each row of R⁻¹. */
function standardErrors(
  upper: (i: number, j: number) => number,
  k: number,
  variance: number,
): readonly number[] {
  const squares = new Float64Array(k);
  for (let j = 0; j < k; j += 1) {
    const unit = new Float64Array(k);
    unit[j] = 1;
    for (const [i, value] of solveUpper(upper, unit, k).entries())
      squares[i] = (squares[i] ?? 0) + value * value;
  }
  return Array.from(squares, (square) => Math.sqrt(square * variance));
}

function solveUpper(
  upper: (i: number, j: number) => number,
  right: Float64Array,
  k: number,
): readonly number[] {
  const solution = new Array<number>(k).fill(0);
  for (let i = k - 1; i >= 0; i -= 1) {
    let rest = right[i] ?? 0;
    for (let j = i + 1; j < k; j += 1) rest -= upper(i, j) * (solution[j] ?? 0);
    solution[i] = rest / upper(i, i);
  }
  return solution;
}

function dot(a: Float64Array, b: Float64Array, from: number): number {
  let total = 0;
  for (let i = from; i < a.length; i += 1) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}
