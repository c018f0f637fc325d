import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';

describe('tandem connect', () => {
  const at = ['--url', 'http://127.0.0.1:7391'];

  it('shows the lines of each client, with the address of the endpoint and without a secret', async () => {
    for (const client of ['claude-code', 'codex', 'gemini', 'vscode', 'goose']) {
      const end = await tandem(['connect', client, ...at], { env: { TANDEM_API_KEY: 'tdm_secret' } });
      expect(end.code).to.equal(0);
      expect(end.out).to.include('http://127.0.0.1:7391/mcp');
      expect(end.out + end.err).to.not.include('tdm_secret');
    }
    const { out } = await tandem(['connect', 'vscode', ...at]);
    expect(JSON.parse(out)).to.deep.equal({
      servers: { tandem: { type: 'http', url: 'http://127.0.0.1:7391/mcp' } },
    });
  });

  it('names the clients that it knows', async () => {
    const end = await tandem(['connect', 'nobody', ...at]);
    expect(end.code).to.equal(2);
    expect(end.err).to.include('claude-code, codex, gemini, vscode, goose');
  });
});
