-- Adds an enquiry to a lead that exists, or replaces the one that it continues (`id`). A lead keeps the first product, campaign, ad
-- and form that an enquiry of it names. The newest 200 enquiries are kept: the oldest of them counts those before.
create or replace function record_enquiry(account uuid, of_lead uuid, assignee uuid, enquiry jsonb) returns void language plpgsql as $$
declare
  said record;
  surplus bigint[];
  removed integer;
begin
  select * into said from jsonb_to_record(enquiry) as said (
    id bigint, at timestamptz, last_at timestamptz, via text, via_id uuid, platform text, source text, is_repeat boolean, message text,
    origin jsonb, answers jsonb, consent jsonb, omitted integer, product text, campaign text, ad text, form text
  );
  if said.id is null then
    -- A file that is imported again, with other rows, brings no new enquiries.
    if said.via in ('web', 'command') and exists (
      select from enquiries where account_id = account and lead_id = of_lead and answers @> said.answers and origin @> said.origin
    ) then
      return;
    end if;
    insert into enquiries (account_id, lead_id, assigned_to, at, last_at, via, via_id, platform, source, is_repeat, message, origin, answers,
      consent, omitted, product, campaign, ad, form)
    values (account, of_lead, assignee, said.at, said.last_at, said.via, said.via_id, said.platform, said.source, said.is_repeat,
      said.message, said.origin, said.answers, said.consent, said.omitted, said.product, said.campaign, said.ad, said.form);
  else
    -- Citus does not run an UPDATE with fields of a record.
    update enquiries set at = (enquiry->>'at')::timestamptz, last_at = (enquiry->>'last_at')::timestamptz, message = enquiry->>'message',
      origin = enquiry->'origin', answers = enquiry->'answers', consent = nullif(enquiry->'consent', 'null'),
      omitted = (enquiry->>'omitted')::integer, product = enquiry->>'product', campaign = enquiry->>'campaign', ad = enquiry->>'ad',
      form = enquiry->>'form'
    where account_id = account and lead_id = of_lead and id = (enquiry->>'id')::bigint;
  end if;
  update leads set product = coalesce(product, enquiry->>'product'), campaign = coalesce(campaign, enquiry->>'campaign'),
    ad = coalesce(ad, enquiry->>'ad'), form = coalesce(form, enquiry->>'form')
  where account_id = account and id = of_lead and (
    product is null and enquiry->>'product' is not null or campaign is null and enquiry->>'campaign' is not null
    or ad is null and enquiry->>'ad' is not null or form is null and enquiry->>'form' is not null
  );
  if said.is_repeat then
    update leads set enquired_again_at = greatest(enquired_again_at, (enquiry->>'at')::timestamptz), no_next_step = null
    where account_id = account and id = of_lead;
  end if;
  surplus := array(
    select enquiries.id from enquiries where account_id = account and lead_id = of_lead order by at desc, enquiries.id desc offset 200
  );
  if surplus <> '{}' then
    select sum(earlier + 1) into removed from enquiries where account_id = account and lead_id = of_lead and enquiries.id = any (surplus);
    delete from enquiries where account_id = account and lead_id = of_lead and enquiries.id = any (surplus);
    update enquiries set earlier = earlier + removed where account_id = account and lead_id = of_lead and enquiries.id = (
      select enquiries.id from enquiries where account_id = account and lead_id = of_lead order by at, enquiries.id limit 1
    );
  end if;
end
$$;
