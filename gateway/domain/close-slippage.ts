/** Slippage of closing orders that name none, a decimal fraction around the mark. Data alone: the contract reads it too. */
export const CLOSE_SLIPPAGE = '0.01';
