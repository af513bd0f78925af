namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// One thread's side of a mixed load: the next length, the thread that returns it, and the buffers that are out. For that thread only.
/// </summary>
internal sealed class MixedLoadRenter
{
    private const int Lengths = 1 << 14;
    private const int PeakEvery = 61;

    private readonly int[] _lengths;
    private uint _random;
    private int _sent;

    /// <param name="load">The load.</param>
    /// <param name="number">The thread's number, which determines its lengths, the same for every pool.</param>
    public MixedLoadRenter(MixedLoad load, int number)
    {
        _random = (uint)number + 1;
        _lengths = load.Sizes.Take(Lengths, new Random(number));
        Lanes = [.. Enumerable.Range(0, load.Returning).Select(_ => new Lane())];
    }

    /// <summary>One to each thread that returns.</summary>
    public Lane[] Lanes { get; }

    public long RentedBytes { get; set; }

    /// <summary>The most bytes that were out at any check.</summary>
    public long PeakBytes { get; private set; }

    /// <summary>How many more may be out now.</summary>
    public int Room
    {
        get
        {
            int room = MixedLoad.MostOut;
            foreach (Lane lane in Lanes)
            {
                room -= lane.Count;
            }

            return room;
        }
    }

    public int NextLength() => _lengths[_sent & (Lengths - 1)];

    /// <summary>Writes the first and the last byte and sends the buffer on its way.</summary>
    public void Send(byte[] buffer)
    {
        buffer[0] = (byte)_sent;
        buffer[^1] = (byte)_sent;
        RentedBytes += buffer.Length;
        Lanes[NextLane()].Send(buffer);
        _sent++;
        if (_sent % PeakEvery == 0)
        {
            PeakBytes = Math.Max(PeakBytes, Lanes.Sum(static lane => lane.Bytes));
        }
    }

    private int NextLane()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return (int)((ulong)_random * (uint)Lanes.Length >> 32);
    }
}
