import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { z } from 'zod';
import { type RouteContract, route } from '../../../gateway/contract/route.ts';
import { buildOpenApi, createOpenApi, operationId } from '../../../gateway/http/openapi.ts';
import type { Json } from '../../support/json.ts';
import { getItem, openTrade } from './rig.ts';

async function documentOf(contracts: readonly RouteContract[]): Promise<Json> {
  return JSON.parse(await buildOpenApi(contracts));
}

async function expectValid(document: Json): Promise<void> {
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors, JSON.stringify(result.errors)?.slice(0, 2_000)).to.equal(undefined);
  expect(result.valid).to.equal(true);
}

describe('OpenAPI document', () => {
  it('describes an order route with its headers, body, answers and errors', async () => {
    const document = await documentOf([openTrade]);
    const { post } = document.paths['/trade/open'];
    const headers = post.parameters.filter((parameter: Json) => parameter.in === 'header');
    expect(headers.map(({ name, required }: Json) => [name, required ?? false])).to.have.deep.members([
      ['x-trade-account-id', true],
      ['Idempotency-Key', false],
    ]);
    expect(post.requestBody.required).to.equal(true);
    expect(post.requestBody.content['application/json'].schema.additionalProperties).to.equal(false);
    expect(Object.keys(post.responses)).to.have.members([
      '202',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '421',
      '500',
    ]);
    expect(post.security).to.deep.equal([{ apiKey: [] }, { bearer: [] }, { cookie: [] }]);
    expect(document.components.securitySchemes.apiKey).to.deep.include({ in: 'header', name: 'x-api-key' });
    expect(document.components.securitySchemes.cookie.description)
      .to.contain('`Origin`')
      .and.contain('`Sec-Fetch-Site: same-origin`');
    expect(document.components.securitySchemes.cookie).to.deep.include({
      in: 'cookie',
      name: 'tandem_session',
    });
    expect(JSON.stringify(post.responses['401'])).to.contain('FrameworkError').and.not.contain('Business');
    expect(JSON.stringify(post.responses['400'])).to.contain('FrameworkError').and.contain('ValidationError');
  });

  it('describes a public read without credentials, with path and query parameters', async () => {
    const { get } = (await documentOf([getItem])).paths['/items/{id}'];
    expect(get.security).to.deep.equal([]);
    expect(get.parameters.map((parameter: Json) => [parameter.in, parameter.name])).to.have.deep.members([
      ['path', 'id'],
      ['query', 'limit'],
    ]);
    expect(Object.keys(get.responses)).to.have.members(['200', '400', '421', '500']);
  });

  it('takes a session only where the contract says so, and a body that may be absent', async () => {
    const contract = route({
      method: 'POST',
      path: '/things/:thing_id/do',
      auth: 'B',
      tag: 't',
      summary: 's',
      body: z.strictObject({ a: z.string().optional() }),
      bodyRequired: false,
      success: { 204: null },
      errors: ['NOT_IMPLEMENTED_ERROR'],
    });
    const document = await documentOf([contract]);
    await expectValid(document);
    const { post } = document.paths['/things/{thing_id}/do'];
    expect(post.security).to.deep.equal([{ bearer: [] }, { cookie: [] }]);
    expect(post.requestBody.required).to.equal(false);
    expect(post.responses['204']).not.to.have.property('content');
    expect(post.responses).to.have.property('501');
    expect(post.parameters.map(({ name }: Json) => name)).to.deep.equal(['thing_id']);
  });

  it('makes readable operation ids', () => {
    expect(operationId('POST', '/trade/open')).to.equal('postTradeOpen');
    expect(operationId('GET', '/fills/provisionals-lite')).to.equal('getFillsProvisionalsLite');
    expect(operationId('GET', '/fills/:positionId')).to.equal('getFillsByPositionId');
  });

  it('is built once', async () => {
    let asked = 0;
    const openApi = createOpenApi(() => {
      asked += 1;
      return [getItem];
    });
    const [first, second] = await Promise.all([openApi(), openApi()]);
    expect(first).to.equal(second);
    expect(asked).to.equal(1);
  });
});
