// space-wizards/RobustToolbox, commit f71f2821: a packet that was held back kept its bytes in a pooled array but not their number, and the whole array was
// sent later. The fix keeps the number.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

internal sealed class Peer(Socket socket, byte[] sendBuffer, TimeSpan minimumLatency)
{
    private readonly List<DelayedPacket> _delayed = [];

    internal void Send(int count, EndPoint target, int copies)
    {
        if (minimumLatency == TimeSpan.Zero)
        {
            SendNow(sendBuffer, count, target);
            return;
        }

        for (int i = 0; i < copies; i++)
        {
            DelayedPacket packet = new() { Target = target };
            packet.Data = ArrayPool<byte>.Shared.Rent(count);
            packet.Length = count;
            Buffer.BlockCopy(sendBuffer, 0, packet.Data, 0, count);
            packet.Until = Stopwatch.GetTimestamp() + minimumLatency.Ticks;

            _delayed.Add(packet);
        }
    }

    private void SendDelayed()
    {
        long now = Stopwatch.GetTimestamp();

    Restart:
        foreach (DelayedPacket packet in _delayed)
        {
            if (now > packet.Until)
            {
                SendNow(packet.Data!, packet.Length, packet.Target!);
                _delayed.Remove(packet);
                ArrayPool<byte>.Shared.Return(packet.Data!);
                goto Restart;
            }
        }
    }

    private bool SendNow(ReadOnlySpan<byte> data, int count, EndPoint target) => socket.SendTo(data[..count], target) == count;

    private sealed class DelayedPacket
    {
        public byte[]? Data;
        public int Length;
        public long Until;
        public EndPoint? Target;
    }
}
