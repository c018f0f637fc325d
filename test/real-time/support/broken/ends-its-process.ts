/** A test whose process ends when everything has passed. */
describe('an end by itself', () => {
  it('passes', () => {
    process.prependOnceListener('disconnect', () => process.exit(3));
  });
});
