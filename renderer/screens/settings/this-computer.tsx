/** Functions of the desktop app, and diagnostics for problems. */

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { gateway } from '../../api/client.ts';
import { useConnection } from '../../api/connection.ts';
import { desktop } from '../../api/desktop.ts';
import { requestLogNow } from '../../api/request-log.ts';
import { useAccounts } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Button } from '../../components/button.tsx';
import { Switch } from '../../components/checkbox.tsx';
import layout from '../../components/layout.module.css';
import { Panel } from '../../components/page.tsx';
import { say } from '../../components/toast.tsx';
import { saveTextFile } from '../../features/csv/save-text-file.ts';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { diagnosticsText } from './diagnostics.ts';
import { Row } from './row.tsx';

/** An unreadable part is left out: diagnostics are needed precisely when reads fail. */
const orNull = <T,>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

export function ThisComputer() {
  const accounts = useAccounts();
  const settings = useSettings();
  const connection = useConnection();
  const save = useAction(async () => {
    const [version, ready, connectors] = await Promise.all([
      orNull(gateway.call('GET /version')),
      orNull(gateway.call('GET /ready')),
      orNull(gateway.call('GET /connectors')),
    ]);
    const at = Date.now();
    const text = diagnosticsText({
      at,
      version,
      ready,
      connectors: connectors?.connectors ?? null,
      accounts,
      calls: requestLogNow(),
      settings,
      connection,
      browser: {
        userAgent: navigator.userAgent,
        language: navigator.language,
        width: innerWidth,
        height: innerHeight,
      },
    });
    const day = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
    saveTextFile(`tandem-diagnostics-${day}.json`, text, 'application/json');
  });
  return (
    <Panel title="This computer">
      <Row
        name="Start when you sign in to the computer"
        help="The gateway watches stop-losses, triggers and alerts only while it runs."
      >
        <Autostart />
      </Row>
      <Row name="Logs of the gateway" help="Without the desktop app they are where the gateway was started.">
        {desktop.isDesktop ? (
          <Button
            onClick={async () => {
              if (!(await desktop.openLogs())) say('The logs could not be opened', { kind: 'error' });
            }}
          >
            Open logs
          </Button>
        ) : (
          <OnlyInTheApp />
        )}
      </Row>
      <Row
        name="Diagnostics"
        help="Versions, checks and the last calls, to send when you ask for help. No amounts, names, addresses or keys."
      >
        <Button icon={<Download />} busy={save.busy} onClick={() => void save.run()}>
          Download
        </Button>
      </Row>
    </Panel>
  );
}

function OnlyInTheApp() {
  return <span className={layout['quiet']}>Only in the desktop app</span>;
}

type AppPreferences = Awaited<ReturnType<typeof desktop.preferences>>;

function Autostart() {
  const [preferences, setPreferences] = useState<AppPreferences>(null);
  useEffect(() => {
    void desktop.preferences().then(setPreferences);
  }, []);
  const change = useAction(async (autostart: boolean) => {
    setPreferences(await desktop.changePreferences({ autostart }));
  });
  if (preferences === null) return <OnlyInTheApp />;
  return (
    <Switch checked={preferences.autostart} disabled={change.busy} onChange={(on) => void change.run(on)}>
      {preferences.autostart ? 'On' : 'Off'}
    </Switch>
  );
}
