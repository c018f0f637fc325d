/** `npm run test:long`: everything in full. */
export const IS_LONG = process.env['TANDEM_LONG'] === '1';
