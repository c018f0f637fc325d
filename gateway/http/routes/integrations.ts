/** `/integrations`: every caller who may trade reads integrations, only the user's session changes them. */

import { type BoundRoute, bind } from '../../call/call.ts';
import {
  changeIntegration,
  createIntegration,
  type IntegrationBody,
  integration,
  listIntegrations,
} from '../../contract/integrations.ts';
import type { Integration } from '../../domain/integration.ts';
import type { Integrations } from '../../engine/account/integrations.ts';
import { wireForm } from '../present/wire-form.ts';
import { unwrap } from '../unwrap.ts';

function presentIntegration(value: Integration): IntegrationBody {
  return wireForm(integration, value, {});
}

export function integrationRoutes(integrations: Integrations): readonly BoundRoute[] {
  return [
    bind(listIntegrations, ({ principal }) => ({
      body: { integrations: integrations.list(principal.userId).map(presentIntegration) },
    })),

    bind(createIntegration, async ({ principal, body }) => ({
      body: presentIntegration(unwrap(await integrations.create(principal.userId, body))),
    })),

    bind(changeIntegration, async ({ principal, params, body }) => ({
      body: presentIntegration(
        unwrap(await integrations.change(principal.userId, params.id.toLowerCase(), body)),
      ),
    })),
  ];
}
