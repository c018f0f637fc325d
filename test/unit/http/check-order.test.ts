import { expect } from 'chai';
import { FOREIGN_ACCOUNT, type Given, OWN_ACCOUNT, type Rig, startRig } from './rig.ts';

interface Draft {
  headers: Record<string, string>;
  body: string;
  path: string;
}

/** In the order of the checks. Each spoils a good request in one way; the answer to it alone is `status` and `text`. */
const FAULTS: readonly {
  readonly name: string;
  readonly spoil: (draft: Draft) => void;
  readonly status: number;
  readonly text: string;
}[] = [
  {
    name: 'foreign host',
    spoil: (draft) => {
      draft.headers['host'] = 'evil.example';
    },
    status: 421,
    text: 'This host is not served here',
  },
  {
    name: 'foreign origin',
    spoil: (draft) => {
      draft.headers['origin'] = 'http://evil.example';
    },
    status: 403,
    text: 'Requests from this origin are not accepted',
  },
  {
    name: 'wrong content type',
    spoil: (draft) => {
      draft.headers['content-type'] = 'text/plain';
    },
    status: 415,
    text: 'Content-Type must be application/json',
  },
  {
    name: 'oversized body',
    spoil: (draft) => {
      draft.body = `"${'x'.repeat(1024 * 1024)}"`;
    },
    status: 413,
    text: 'Request body is larger',
  },
  {
    name: 'broken JSON',
    spoil: (draft) => {
      draft.body = '{"type":';
    },
    status: 400,
    text: 'Body is not valid JSON',
  },
  {
    name: 'unknown key',
    spoil: (draft) => {
      draft.headers['x-api-key'] = 'nobody';
    },
    status: 401,
    text: 'Invalid API key',
  },
  {
    name: 'read-only key',
    spoil: (draft) => {
      draft.headers['x-api-key'] = 'key-ro';
    },
    status: 403,
    text: 'API key does not have write access',
  },
  {
    name: 'no account header',
    spoil: (draft) => {
      delete draft.headers['x-trade-account-id'];
    },
    status: 400,
    text: 'Missing required header: x-trade-account-id',
  },
  {
    name: 'malformed account header',
    spoil: (draft) => {
      draft.headers['x-trade-account-id'] = 'main';
    },
    status: 400,
    text: 'x-trade-account-id must be a UUID',
  },
  {
    name: "another user's account",
    spoil: (draft) => {
      draft.headers['x-trade-account-id'] = FOREIGN_ACCOUNT;
    },
    status: 404,
    text: 'Trade account not found',
  },
  {
    name: 'invalid field',
    spoil: (draft) => {
      draft.body = JSON.stringify({ type: 'LIMIT', legs: [{ symbol: 'BUSY', weight: 1 }] });
    },
    status: 400,
    text: 'VALIDATION_ERROR',
  },
  {
    name: 'busy resource',
    spoil: (draft) => {
      draft.body = JSON.stringify({ type: 'MARKET', legs: [{ symbol: 'BUSY', weight: 1 }] });
    },
    status: 409,
    text: 'RESOURCE_BUSY',
  },
];

describe('Order of the checks on a request', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig();
  });
  after(() => rig.close());

  /** Later faults are put in first, so that of two that touch one part the earlier check's fault stays. */
  function send(faults: readonly (typeof FAULTS)[number][]) {
    const draft: Draft = {
      headers: {
        'content-type': 'application/json',
        'x-api-key': 'key-rw',
        'x-trade-account-id': OWN_ACCOUNT,
      },
      body: JSON.stringify({ type: 'MARKET', legs: [{ symbol: 'BTC-PERP', weight: 1 }] }),
      path: '/trade/open',
    };
    for (const fault of [...faults].reverse()) fault.spoil(draft);
    const given: Given = { headers: draft.headers, body: draft.body };
    return rig.request('POST', draft.path, given);
  }

  it('lets the good request through', async () => {
    const { status, json } = await send([]);
    expect(status).to.equal(202);
    // The handler has the account of the header and the body as it was sent.
    expect(json).to.include({ account: OWN_ACCOUNT, legs: 1 });
  });

  for (const [index, first] of FAULTS.entries()) {
    it(`${first.name} wins over everything after it`, async () => {
      const alone = await send([first]);
      expect(alone.status, 'alone').to.equal(first.status);
      expect(alone.text, 'alone').to.contain(first.text);
      for (const second of FAULTS.slice(index + 1)) {
        const both = await send([first, second]);
        expect(both.status, `with ${second.name}`).to.equal(first.status);
        expect(both.text, `with ${second.name}`).to.contain(first.text);
      }
      const all = await send(FAULTS.slice(index));
      expect(all.status, 'with all').to.equal(first.status);
      expect(all.text, 'with all').to.contain(first.text);
    });
  }
});
