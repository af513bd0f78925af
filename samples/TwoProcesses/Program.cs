using System.Globalization;
using Samples;

// The same program is both processes: it starts itself once more, as the reader.
switch (args)
{
    case []:
        return await Writer.RunAsync(5_000_000);
    case ["--messages", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int messages) && messages > 0:
        return await Writer.RunAsync(messages);
    case ["read", string ring]:
        return await Reader.RunAsync(ring);
    default:
        Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}. Usage: [--messages <number from 1>]");
        return 2;
}
