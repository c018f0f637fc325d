import { expect } from 'chai';
import { createRefusalLog, type NoteRefusal } from '../../../gateway/http/refusal-log.ts';

describe('the log of refusals', () => {
  let now: number;
  let lines: (readonly [object, string])[];
  let note: NoteRefusal;
  beforeEach(() => {
    now = 0;
    lines = [];
    note = createRefusalLog({
      clock: { uptime: () => now },
      logger: {
        info: (fields: object, text: string) => lines.push([fields, text]),
        error: (fields: object, text: string) => lines.push([fields, `error: ${text}`]),
      },
    });
  });
  const read = { method: 'GET', path: '/positions' };

  it('has the first of a kind at once, and each kind by itself', () => {
    note(401, 'Invalid API key', read);
    note(403, 'API key does not have write access', { method: 'POST', path: '/trade/open' });
    note(421, 'This host is not served here', read);
    expect(lines.map(([, text]) => text)).to.deep.equal([
      'Refused: Invalid API key',
      'Refused: API key does not have write access',
      'Refused: This host is not served here',
    ]);
    expect(lines[0]?.[0]).to.deep.equal({ status: 401, ...read, before: 0 });
  });

  it('has of a flood one line a minute, with how many came before it', () => {
    for (let request = 0; request < 1_000; request += 1) note(401, 'Invalid API key', read);
    now += 60_000;
    note(401, 'Invalid API key', read);
    expect(lines.map(([fields]) => fields)).to.deep.equal([
      { status: 401, ...read, before: 0 },
      { status: 401, ...read, before: 999 },
    ]);
  });

  it("has of requests that fail one line a minute, with the first one's reason", () => {
    for (let request = 0; request < 1_000; request += 1)
      note(500, 'CONFIGURATION_ERROR', { ...read, message: `Not yet: ${request}` });
    const fields = { status: 500, ...read, before: 0, errorCode: 'CONFIGURATION_ERROR' };
    expect(lines).to.deep.equal([[fields, 'error: Not yet: 0']]);
  });

  it('leaves out what nobody provokes, and does not grow with texts', () => {
    note(404, 'Cannot GET /x', read);
    for (let kind = 0; kind < 1_000; kind += 1) note(403, `text ${kind}`, read);
    expect(lines).to.have.length(64);
  });
});
