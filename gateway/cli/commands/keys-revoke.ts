import { apiKeyList, read } from '../answers.ts';
import { usage } from '../cli-error.ts';
import { CLIENT_FLAGS, type Command, isOn, printJson } from '../command.ts';
import { EMAIL_FLAG, withSession } from '../sign-in.ts';

export const command: Command = {
  usage: 'keys revoke <id|label>',
  about: ['Revokes an API key: clients that use it stop working at once.'],
  flags: [EMAIL_FLAG, ...CLIENT_FLAGS],
  words: [1, 1],
  async run(context) {
    const wanted = context.flags.words[0] ?? '';
    const revoked = await withSession(context, false, async ({ api }) => {
      const { apiKeys } = read(apiKeyList, await api.call('GET', '/api-keys'), 'GET /api-keys');
      const found = apiKeys.filter((key) => key.id === wanted || key.label === wanted);
      const [key] = found;
      if (key === undefined) throw usage(`no API key '${wanted}'; see tandem keys list`);
      if (found.length > 1) throw usage(`${found.length} keys are called '${wanted}'; name one by its id`);
      await api.call('DELETE', `/api-keys/${encodeURIComponent(key.id)}`);
      return key;
    });
    if (isOn(context, '--json')) printJson(context.terminal, { revoked: revoked.id });
    else context.terminal.out(`Revoked '${revoked.label}' (${revoked.id}).`);
    return 0;
  },
};
