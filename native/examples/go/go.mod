module threadclock-example

go 1.22
