using Tarn.SharedMemory;

namespace Tarn.Fuzz.Targets;

/// <summary>A file with the name of a region. The first eight bytes are its length, and the rest are its first bytes.</summary>
internal sealed class RegionTarget : IFuzzTarget
{
    private const string RegionName = "fuzzed";
    private const long LongestFile = 1L << 40;

    private readonly FuzzDirectory _directory = new();

    public string Name => "region";

    public long MostBytes => 1 << 20;

    public IEnumerable<byte[]> Seeds
    {
        get
        {
            SharedRegion.Create(_directory.Names, RegionName, 100, new SharedRegionOptions { DeleteOnDispose = false }).Dispose();
            byte[] region = _directory.ReadFile(RegionName, 64);
            SharedRing.Create(_directory.Names, "ring", 64, new SharedRegionOptions { DeleteOnDispose = false }).Dispose();
            byte[] ring = _directory.ReadFile("ring", 64);
            _directory.Delete("ring");
            return
            [
                [.. BitConverter.GetBytes(4196L), .. region],
                [.. BitConverter.GetBytes(RegionHeader.Length + RingHeader.RegionSize(64)), .. ring],
                [],
            ];
        }
    }

    public void Run(byte[] input)
    {
        long length = input.Length >= sizeof(long) ? BitConverter.ToInt64(input) : 0;
        _directory.WriteFile(RegionName, input.AsSpan(Math.Min(input.Length, sizeof(long))), Math.Clamp(length, 0, LongestFile));
        _ = SharedRegion.List(_directory.Names);
        Try(() => SharedRegion.Open(_directory.Names, RegionName));
        Try(() => SharedRegion.Open(_directory.Names, RegionName, RegionKind.Ring));
        Try(() => SharedRegion.CreateOrOpen(_directory.Names, RegionName, 100, options: null));
        Try(() => SharedRing.Create(_directory.Names, RegionName, 64));
        _ = SharedRegion.DeleteAbandoned(_directory.Names);
        _directory.Delete(RegionName);
    }

    /// <summary>The system has no memory for a region as long as its file is.</summary>
    public bool IsDocumented(Exception exception) => exception is InvalidDataException or IOException or OutOfMemoryException;

    public void Dispose() => _directory.Dispose();

    /// <summary>A region that opens can be read to its ends.</summary>
    private void Try(Func<IDisposable> open)
    {
        try
        {
            using IDisposable opened = open();
            if (opened is SharedRegion region)
            {
                _ = region.GetSpan(0, 1)[0];
                _ = region.GetSpan(region.Size - 1, 1)[0];
            }
        }
        catch (Exception exception) when (IsDocumented(exception))
        {
            // One way in was refused; the others are tried as well.
        }
    }
}
