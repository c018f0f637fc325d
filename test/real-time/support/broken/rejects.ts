/** A test that forgets an `await`. */
describe('a forgotten await', () => {
  it('passes', () => {
    void Promise.reject(new Error('lost on the way'));
  });
});
