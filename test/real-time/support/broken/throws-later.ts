/** A test that fails when it is over. */
describe('a late error', () => {
  it('passes', () => {
    setImmediate(() => {
      throw new Error('too late');
    });
  });
});
