"""Accelerate and Fabric in a page each, for machines on which they are not installed.

Names, arguments and objects are those of the libraries, so that whoever drives them cannot tell which one it drives.
"""
