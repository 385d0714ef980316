-- One spelling of a site: without a slash after its host, as scripts know it.
UPDATE sources SET base_url = rtrim(base_url, '/') WHERE base_url LIKE 'http%://%/' AND base_url NOT LIKE '%://%/_%';
