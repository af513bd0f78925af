using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>Named memory that was just created.</summary>
/// <param name="Memory">It, mapped as by <see cref="NamedMemory.Map"/>.</param>
/// <param name="File">
/// Its file, if processes have seats in it (<see cref="FileSeats"/>), which last as long as this stays open; null elsewhere.
/// </param>
internal readonly record struct NamedFile(SafeBuffer Memory, SafeFileHandle? File);
