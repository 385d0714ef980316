-- Every feed has a key from the start: the id of its thing alone opens nothing. What was revoked stays so.
INSERT INTO feed_keys (org_id, thing, secret, made_at)
	SELECT org_id, id, {secret}, {now} FROM (SELECT org_id, id FROM sources UNION ALL SELECT org_id, id FROM watches
		UNION ALL SELECT org_id, id FROM subscriptions) AS things
	WHERE true ON CONFLICT (org_id, thing) DO NOTHING;
