using System.Globalization;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Makes, opens and deletes regions of a few names at random until it is killed; others do so with the same names at once. Arguments: kind
/// and directory, and a seed. Writes a line for each violation.
/// </summary>
internal static class RegionChurn
{
    private const int Names = 4;

    internal static void Run(string[] arguments)
    {
        NamedMemory names = RegionSystem.Open(arguments[0], arguments[1]);
        Random random = new(int.Parse(arguments[2], CultureInfo.InvariantCulture));
        Console.WriteLine("ready");
        while (true)
        {
            try
            {
                Step(names, random);
            }
            catch (FileNotFoundException)
            {
                // Nobody made it, or somebody deleted it.
            }
            catch (IOException e) when (e.Message.Contains("is taken", StringComparison.Ordinal)
                || e.Message.Contains("exists with", StringComparison.Ordinal))
            {
                // Somebody else was first, maybe with another size.
            }
#pragma warning disable CA1031 // whatever else it is, the test looks at it
            catch (Exception e)
#pragma warning restore CA1031
            {
                Console.WriteLine(e.ToString().ReplaceLineEndings(" "));
            }
        }
    }

    /// <summary>One call or two on a region of one of a few names.</summary>
    /// <exception cref="InvalidOperationException">There are bytes in it that nobody wrote.</exception>
    internal static void Step(NamedMemory names, Random random)
    {
        string name = $"churn{random.Next(Names)}";
        int size = random.Next(1, 50_000);
        SharedRegionOptions options = new() { DeleteOnDispose = random.Next(2) == 0, HugePages = random.Next(8) == 0 };
        switch (random.Next(6))
        {
            case 0:
                SharedRegion.Delete(names, name);
                break;
            case 1:
                SharedRegion.DeleteAbandoned(names);
                SharedRegion.List(names);
                break;
            case 2:
                Use(SharedRegion.Open(names, name));
                break;
            case 3:
                Use(SharedRegion.CreateOrOpen(names, name, 8192, options));
                break;
            default:
                Use(SharedRegion.Create(names, name, size, options));
                break;
        }
    }

    /// <summary>Every byte is 0 or the value that every opener writes there.</summary>
    private static void Use(SharedRegion region)
    {
        Span<byte> bytes = region.GetSpan(0, (int)region.Size);
        if (bytes.ContainsAnyExcept((byte)0, (byte)77))
        {
            throw new InvalidOperationException($"{region.Name} has bytes that nobody wrote.");
        }

        bytes.Fill(77);
        region.Dispose();
    }
}
