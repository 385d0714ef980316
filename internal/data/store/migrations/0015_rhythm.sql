-- A visit of a watch is a check everywhere; its rhythm had another word for it.
UPDATE watches SET rhythm = replace(replace(rhythm, '"looks":', '"checks":'), '"last_look_at":', '"last_check_at":')
	WHERE rhythm <> 'null';
