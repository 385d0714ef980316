package agenda

func (r *reader) structure() Structure { return Structure{} }
