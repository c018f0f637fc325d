import { read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, printAnswer } from '../command.ts';
import { ambiguous, fittingIds } from '../ids.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'keys revoke <id|label>',
  about: ['Revokes an API key: clients that use it stop working at once.'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const wanted = context.flags.words[0] ?? '';
    const revoked = await withSession(context, false, async ({ call }) => {
      const { apiKeys } = read('GET /api-keys', await call('GET /api-keys'));
      const exact = apiKeys.filter((key) => key.id === wanted || key.label === wanted);
      const found = exact.length > 0 ? exact : fittingIds(apiKeys, wanted);
      const [key] = found;
      if (key === undefined) throw usage(`no API key '${wanted}'; see tandem keys list`);
      if (exact.length === 0 && found.length > 1) throw ambiguous(found, wanted, 'API key');
      if (found.length > 1) throw usage(`${found.length} keys are called '${wanted}'; name one by its id`);
      await call('DELETE /api-keys/{id}', { params: { id: key.id } });
      return key;
    });
    printAnswer(context, { revoked: revoked.id }, () =>
      context.terminal.out(`Revoked '${revoked.label}' (${revoked.id}).`),
    );
    return 0;
  },
};
