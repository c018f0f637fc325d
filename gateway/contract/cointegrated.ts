/** Up to this p-value two instruments count as cointegrated: Engle–Granger at 10 %. */
export const COINTEGRATED_P = 0.1;
