using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Tarn.Lab.Contenders.Native;

namespace Tarn.Lab.Peers;

/// <summary>Asks the allocators written in C for their versions.</summary>
internal static unsafe class NativeVersions
{
    public static string? OfMimalloc() => Ask(NativePeers.Mimalloc, "mi_version", static function =>
    {
        // 212 for 2.1.2, and from 3.4 on 30403 for 3.4.3.
        int number = ((delegate* unmanaged<int>)function)();
        int width = number >= 10_000 ? 100 : 10;
        return string.Create(CultureInfo.InvariantCulture, $"{number / (width * width)}.{number / width % width}.{number % width}");
    });

    public static string? OfJemalloc() => Ask(NativePeers.Jemalloc, "mallctl", static function =>
    {
        byte* text = null;
        nuint size = (nuint)sizeof(byte*);
        ReadOnlySpan<byte> name = "version\0"u8;
        fixed (byte* key = name)
        {
            int error = ((delegate* unmanaged<byte*, void*, nuint*, void*, nuint, int>)function)(key, &text, &size, null, 0);
            // 5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c
            return error == 0 ? Marshal.PtrToStringUTF8((nint)text)?.Split('-')[0] : null;
        }
    });

    public static string? OfTcmalloc() => Ask(NativePeers.Tcmalloc, "tc_version", static function =>
    {
        int major, minor;
        byte* patch = null;
        ((delegate* unmanaged<int*, int*, byte**, byte*>)function)(&major, &minor, &patch);
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"{major}.{minor}").Append(Marshal.PtrToStringUTF8((nint)patch));
        return text.ToString();
    });

    public static string? OfCLibrary() => Ask(
        NativePeers.CLibrary,
        "gnu_get_libc_version",
        static function => Marshal.PtrToStringUTF8((nint)((delegate* unmanaged<byte*>)function)()));

    private static string? Ask(NativePeer peer, string function, Func<nint, string?> ask)
    {
        try
        {
            return peer.IsPresent ? ask(peer.Find(function)) : null;
        }
        catch (EntryPointNotFoundException)
        {
            return null;
        }
    }
}
