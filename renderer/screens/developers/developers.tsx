/** Screen for programmers: the gateway's address and state, API keys, the dashboard's own calls, the stream. */
import { useLocation, useRoute } from 'wouter';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ApiKeys } from './api-keys.tsx';
import css from './developers.module.css';
import { GatewayState } from './gateway-state.tsx';
import { RequestLog } from './requests.tsx';
import { StreamExplorer } from './stream-explorer.tsx';

const TABS = [
  { value: 'gateway', label: 'Gateway', view: GatewayState },
  { value: 'keys', label: 'API keys', view: ApiKeys },
  { value: 'requests', label: 'Requests', view: RequestLog },
  { value: 'stream', label: 'WebSocket', view: StreamExplorer },
] as const;

type TabName = (typeof TABS)[number]['value'];

export default function Developers() {
  const [, params] = useRoute('/developers/:tab?');
  const [, go] = useLocation();
  const tab = TABS.find(({ value }) => value === params?.tab) ?? TABS[0];
  return (
    <Page title="Developers">
      <Tabs<TabName>
        label="Developers"
        tabs={TABS}
        value={tab.value}
        onChange={(value) => go(`/developers/${value}`)}
      >
        <div className={css['tab']}>
          <tab.view />
        </div>
      </Tabs>
    </Page>
  );
}
