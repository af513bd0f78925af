using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Sharing;

/// <summary>One message to many receivers: a buffer, a slice for each of them, and the disposal of all.</summary>
internal readonly struct Broadcast(CountedSlice<byte>[] receivers) : IWork
{
    public void Once()
    {
        using (CountedBuffer<byte> message = CountedBuffer<byte>.Rent(256))
        {
            for (int i = 0; i < receivers.Length; i++)
            {
                receivers[i] = message.Slice();
            }
        }

        foreach (CountedSlice<byte> slice in receivers)
        {
            slice.Dispose();
        }
    }
}
