/** Pages before the dashboard. */
import type { ComponentProps } from 'react';
import { CardPage } from '../components/card-page.tsx';
import css from './gate.module.css';
import { GatewayNotice } from './gateway-notice.tsx';

export function GatePage(card: Omit<ComponentProps<typeof CardPage>, 'notice'>) {
  const notice = (
    <div className={css['notice']}>
      <GatewayNotice hasStream={false} />
    </div>
  );
  return <CardPage {...card} notice={notice} />;
}
