"""The project a file belongs to: its modules, what their imports name, and who imports whom.

Nothing is executed, and no parser is loaded: folders are listed, and bytes are searched.
"""
